"""No file can hurt: every hostile file gets its sentence, in bounded time and memory, measured in a child process."""

import multiprocessing

import pytest

from tests.limelight.formats import hostile_files

pytestmark = pytest.mark.slow

SECONDS = 30
MEGABYTES = 300

MESSAGES = {
    "external entity": [
        "Line 1: the entity &x; points outside the file. Write its text into the file instead.",
    ],
    "network entity": [
        "Line 1: the entity &x; points outside the file. Write its text into the file instead.",
    ],
    "parameter entity": [
        "Line 1: the DOCTYPE declares the parameter entity %x;. Remove it.",
    ],
    "billion laughs": [
        "Line 1: the entity &l1; is long or built of other entities. Write its text into the file instead.",
    ],
    "quadratic blow-up": [
        "Line 1: the entity &x; is long or built of other entities. Write its text into the file instead.",
    ],
    "entities in attributes": [
        "Line 1: the entities stand for far more text than the file has. Write the text itself.",
    ],
    "unread external DTD": [
        "accepted",
    ],
    "entity without DOCTYPE": [
        "Line 1: the XML is broken here (Entity 'nowhere' not defined). Mend the file and upload it again.",
    ],
    "broken DOCTYPE": [
        "Line 1: the DOCTYPE is broken. Remove it: nothing here needs it.",
    ],
    "endless DOCTYPE": [
        "The DOCTYPE is broken or too long. Remove it: nothing here needs it.",
    ],
    "hidden in UTF-7": [
        "Line 1: the file declares the encoding 'UTF-7', which isn't read here. Save it as UTF-8.",
    ],
    "gzip bomb": [
        "The file unpacks to more than 200 times its size, which honest files don't. Upload it unpacked.",
    ],
    "gzip of zeros": [
        "The file unpacks to more than 200 times its size, which honest files don't. Upload it unpacked.",
    ],
    "gzip cut short": [
        "The gzip file ends too early: a part of it is missing. Upload it again.",
    ],
    "gzip damaged": [
        "The gzip file is damaged and cannot be unpacked. Pack it again and upload it again.",
    ],
    "gzip bomb as XML": [
        "The file unpacks to more than 200 times its size, which honest files don't. Upload it unpacked.",
    ],
    "zip bomb": [
        "The file unpacks to more than 200 times its size, which honest files don't. Upload it unpacked.",
    ],
    "zip with one large file": [
        "The archive's file a.xml is larger than 50 MB when unpacked, the most that is read.",
    ],
    "zip with lying sizes": [
        "The zip archive is damaged or packed in a way that isn't read here. Pack it again.",
    ],
    "zip of many files": [
        "The archive holds more than 100,000 files, the most that is read.",
    ],
    "zip with a password": [
        "The archive's file a.xml needs a password. Pack it without one.",
    ],
    "zip damaged": [
        "The zip archive is damaged or packed in a way that isn't read here. Pack it again.",
    ],
    "zip path traversal": [
        "The archive holds '../../etc/cron.d/x.xml', which points outside the archive. Pack it again.",
    ],
    "zip absolute path": [
        "The archive holds '/etc/x.xml', which points outside the archive. Pack it again.",
    ],
    "zip drive letter": [
        "The archive holds 'C:\\\\x.xml', which points outside the archive. Pack it again.",
    ],
    "zip control character": [
        "The archive holds a file named 'a?[2J.xml', which isn't a usable name. Rename it.",
    ],
    "tar path traversal": [
        "The archive holds 'a/../../x.xml', which points outside the archive. Pack it again.",
    ],
    "tar link": [
        "The archive's entry a.xml is a link or a device, not a file. Remove it.",
    ],
    "tar cut short": [
        "The tar archive is damaged or packed in a way that isn't read here. Pack it again.",
    ],
    "tar.gz bomb": [
        "The file unpacks to more than 200 times its size, which honest files don't. Upload it unpacked.",
    ],
    "deep nesting": [
        "The file has more than 500,000 tags and attributes, the most that is read.",
    ],
    "deep nesting in a run": [
        "Line 1: the elements are nested more than 256 deep, the most that is read.",
    ],
    "endless siblings": [
        "The file has more than 500,000 tags and attributes, the most that is read.",
    ],
    "endless results": [
        "One part of the file has more than 500,000 tags and attributes, the most that is read.",
    ],
    "endless topic": ["One part of the file has more than 500,000 tags and attributes, the most that is read."],
    "endless topics": ["The file has 900,000 results. At most 500,000 are read."],
    "endless attributes": [
        "Line 1: the <a> has more than 100 attributes, the most that is read.",
    ],
    "endless descriptions": [
        "One part of the file has more than 500,000 tags and attributes, the most that is read.",
    ],
    "topics in endless wrappings": [
        "One part of the file has more than 500,000 tags and attributes, the most that is read.",
    ],
    "endless paths": [
        "Line 1: the elements' paths have more than 50,000,000 characters in all, the most that is read.",
    ],
    "many comments before topics": [
        "accepted",
    ],
    "a number of 90,000 digits": [
        "Line 1: the rsv '9999999999999999999999999999999999999999…' isn't a number. Write it like 0.25.",
    ],
    "90,000 items in a line of metadata": [
        "accepted",
    ],
    "tar with holes": [
        "The archive's entry a.xml is a file with holes. Remove it.",
    ],
    "tar with a long header": [
        "The tar archive is damaged or packed in a way that isn't read here. Pack it again.",
    ],
    "10 MB attribute": [
        "Line 1: the <result> has no <file>. Every result names its document.",
        "Line 1: the <result> has 0 of <path>, <fol> and <passage>. It needs exactly one.",
        "Line 1: a text, name or attribute has more than 10 MB, the most that is read.",
    ],
    "10 MB text": [
        "Line 1: a text, name or attribute has more than 10 MB, the most that is read.",
    ],
    "10 MB name": [
        "Line 1: a text, name or attribute has more than 10 MB, the most that is read.",
    ],
    "10 MB comment": [
        "Line 1: a comment or an instruction has more than 10 MB, the most that is read.",
    ],
    "NUL in text": [
        "Line 2: the document id 'd\\x002' holds the character U+0000, which cannot be printed. Remove it.",
    ],
    "NUL in XML": [
        "Line 1: the XML is broken here (Invalid character: Char 0x0 out of allowed range). "
        "Mend the file and upload it again.",
        "Line 1: the XML is broken here (PCDATA invalid Char value 0). Mend the file and upload it again.",
    ],
    "only NULs": [
        "The file is binary, not text. Upload the text or XML itself, or pack it with gzip once.",
    ],
    "random bytes": [
        "The file is binary, not text. Upload the text or XML itself, or pack it with gzip once.",
    ],
    "bad UTF-8": [
        "Line 2: the document id 'd\\xff' isn't valid UTF-8 (byte 0xFF). Save the file as UTF-8.",
        "Line 2: the run id 'R\\xc3' isn't valid UTF-8 (byte 0xC3). Save the file as UTF-8.",
    ],
    "bad UTF-8 in XML": [
        "Line 1: there are bytes that the declared encoding (or else UTF-8) doesn't have. Save the file as UTF-8.",
    ],
    "lying encoding": [
        "Line 1: there are bytes that the declared encoding (or else UTF-8) doesn't have. Save the file as UTF-8.",
    ],
    "UTF-8 that says UTF-16": [
        "Line 1: the file declares the encoding 'UTF-16', which isn't read here. Save it as UTF-8.",
    ],
    "UTF-16": [
        "The file is in UTF-16 or UTF-32. Save it as UTF-8 and upload it again.",
    ],
    "UTF-16 without a mark": [
        "The file is in UTF-16 or UTF-32. Save it as UTF-8 and upload it again.",
    ],
    "UTF-32": [
        "The file is in UTF-16 or UTF-32. Save it as UTF-8 and upload it again.",
    ],
    "line of 100 MB": [
        "Line 2: the line has 99,000,000 bytes. At most 100,000 are allowed.",
    ],
    "line of 100 MB of blanks": [
        "Line 2: the line has 99,000,000 bytes. At most 100,000 are allowed.",
    ],
    "line of 100 MB of fields": [
        "Line 2: the line has 99,000,013 bytes. At most 100,000 are allowed.",
    ],
    "too many bytes": [
        "The file is larger than 100 MB, the most that is read.",
    ],
    "too many lines": [
        "The file has 2,000,000 lines. At most 500,000 are read.",
    ],
    "half a million wrong lines": [
        "Line 1: the rsv 'high' isn't a number. Write it like 0.25.",
        "Line 2: the rsv 'high' isn't a number. Write it like 0.25.",
        "Line 3: the rsv 'high' isn't a number. Write it like 0.25.",
        "Line 4: the rsv 'high' isn't a number. Write it like 0.25.",
        "Line 5: the rsv 'high' isn't a number. Write it like 0.25.",
        "and 49,996 more",
    ],
    "half a million documents": [
        "Line 500000: the rsv 'x' isn't a number. Write it like 0.25.",
    ],
    "numbers out of range": [
        "Line 1: the rank '999999999999999999999999999999' is out of range. It is at most 2147483647.",
        "Line 1: the offset '9999999999999999999999999999999999999999…' is out of range. It is at most 2147483647.",
        "Line 1: the length '4294967296' is out of range. It is at most 2147483647.",
    ],
    "NaN and infinities": [
        "Line 1: the rsv is 'nan'. Write a finite number.",
        "Line 2: the rsv is '-Infinity'. Write a finite number.",
        "Line 3: the rsv '1e400' is out of range. Write a finite number.",
    ],
    "control characters in ids": [
        "Line 1: the topic '7\\x1b[2J' holds the character U+001B, which cannot be printed. Remove it.",
        "Line 1: the document id 'd\\u202e1' holds the character U+202E, which cannot be printed. Remove it.",
        "Line 1: the run id 'R\\x7f' holds the character U+007F, which cannot be printed. Remove it.",
    ],
    "control characters in a pool": [
        "Line 1: the topic '7\\x851' holds the character U+0085, which cannot be printed. Remove it.",
        "Line 1: the file 'a\\u2028b' holds the character U+2028, which cannot be printed. Remove it.",
    ],
    "bell in XML": [
        "Line 1: the XML is broken here (PCDATA invalid Char value 7). Mend the file and upload it again.",
    ],
}


@pytest.fixture(scope="module")
def children():
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([hostile_files.__name__])
    return context


def test_every_hostile_file_has_its_message():
    assert MESSAGES.keys() == hostile_files.FILES.keys()


@pytest.mark.parametrize("name", hostile_files.FILES)
def test_a_hostile_file_gets_its_sentence_in_bounded_time_and_memory(name, children):
    answers = children.Queue()
    child = children.Process(target=hostile_files.measure, args=(name, answers))

    child.start()
    messages, seconds, megabytes = answers.get(timeout=60)
    child.join()

    assert messages == MESSAGES[name]
    assert seconds < SECONDS
    assert megabytes < MEGABYTES
