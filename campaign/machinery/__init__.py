"""What the site runs on: rows of work and their leases, wake-ups, signs of life, files, limits and caches."""
