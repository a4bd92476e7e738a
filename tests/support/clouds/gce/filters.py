"""Filters, order and pages of listings, as the parameters of the discovery document describe them."""

import base64
import operator as operators
import re

from gce.errors import Refusal, invalid

ORDERS = {">": operators.gt, ">=": operators.ge, "<": operators.lt, "<=": operators.le}
LITERAL = r"""(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s()]+))"""
TERM = re.compile(r"\s*(?P<field>[A-Za-z][\w.\-]*)\s*(?:(?P<op>!=|<=|>=|=|<|>|:)\s*|\s+(?P<word>eq|ne)\s+)" + LITERAL + r"\s*")


def field_of(resource, name):
    """The value of a dotted field as text; None when it is not there. Keys of labels may have dots' neighbours but no dots."""
    value = resource
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    if isinstance(value, bool):
        return "true" if value else "false"
    return None if value is None else str(value)


def _clauses(text):
    """Alternatives that must all hold: [[(field, operator, literal), ...], ...]; as in AIP-160, OR binds more than AND. Refuses what the
    simulator does not understand instead of listing everything."""
    clauses, rest, joins = [], text.strip(), False
    while rest:
        bracketed = re.match(r"\(([^()]*)\)\s*", rest)
        found = bracketed or TERM.match(rest)
        term = TERM.fullmatch(bracketed.group(1) if bracketed else found.group(0)) if found else None
        if not term:
            raise invalid("filter", text, "Invalid list filter expression.")
        literal = next(value for value in term.group("double", "single", "bare") if value is not None)
        entry = (term.group("field"), term.group("op") or term.group("word"), literal)
        clauses.append([entry]) if not joins else clauses[-1].append(entry)
        rest = rest[found.end():]
        word = re.match(r"(AND|OR)\s+", rest)
        joins = bool(word) and word.group(1) == "OR"
        rest = rest[word.end():] if word else rest
    return clauses


def _holds(resource, field, operator, literal):
    value = field_of(resource, field)
    if operator == ":":
        return value is not None and (literal == "*" or literal in value)
    if operator in ("eq", "ne"):
        matches = value is not None and re.fullmatch(literal, value) is not None
        return matches == (operator == "eq")
    if operator in ("=", "!="):
        return (value == literal) == (operator == "=")
    if operator in ORDERS and re.fullmatch(r"\d+", literal):
        return value is not None and ORDERS[operator](float(value), float(literal))
    raise invalid("filter", operator, "Invalid list filter expression.")


def filtered(resources, text):
    if not text:
        return resources
    clauses = _clauses(text)
    terms = [term for clause in clauses for term in clause]
    kinds = {operator in ("eq", "ne") for _, operator, _ in terms}
    if len(kinds) > 1:
        raise invalid("filter", text, "Invalid list filter expression: the two types of expressions cannot be mixed.")
    if kinds == {True} and len({field for field, _, _ in terms}) > 1:
        raise invalid("filter", text, "Invalid list filter expression: you cannot combine constraints on multiple fields using regular expressions.")
    return [resource for resource in resources if all(any(_holds(resource, *term) for term in clause) for clause in clauses)]


def page(entries, query, shortest):
    """The entries of one page and the token of the next. `shortest` is a limit of the tests' own, to get many pages of few machines."""
    most = min(int(query.get("maxResults", "500")) or 500, shortest)
    if int(query.get("maxResults", "500")) > 500:
        raise invalid("maxResults", query["maxResults"], "Values must be within the range: [0, 500]")
    begin = 0
    if token := query.get("pageToken"):
        try:
            begin_text, asked = base64.urlsafe_b64decode(token).decode().split("|", 1)
            begin = int(begin_text)
        except ValueError:
            raise Refusal(400, "invalid", f"Invalid value for field 'pageToken': '{token}'.") from None
        if asked != query.get("filter", ""):
            raise Refusal(400, "invalid", f"Invalid value for field 'pageToken': '{token}'. The filter is another one.")
    rest = begin + most < len(entries)
    token = base64.urlsafe_b64encode(f"{begin + most}|{query.get('filter', '')}".encode()).decode() if rest else None
    return entries[begin:begin + most], token
