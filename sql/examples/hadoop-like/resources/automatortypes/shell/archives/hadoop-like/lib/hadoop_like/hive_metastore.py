"""Knows which tables there are and where their files lie, in a MariaDB database."""
import json
import re

import pymysql

from .common import Refused, serve, site


def database():
    settings = site("hive")
    url = settings["javax.jdo.option.ConnectionURL"]
    place = re.fullmatch(r"jdbc:(?:mysql|mariadb)://([^:/]+)(?::(\d+))?/(\w+)", url)
    if place is None:
        raise RuntimeError(f"javax.jdo.option.ConnectionURL must be like jdbc:mysql://host:3306/hive, not {url}")
    try:
        return pymysql.connect(host=place[1], port=int(place[2] or 3306), database=place[3], connect_timeout=5,
                               user=settings["javax.jdo.option.ConnectionUserName"],
                               password=settings["javax.jdo.option.ConnectionPassword"], autocommit=True)
    except pymysql.MySQLError as error:
        raise Refused(503, f"the metastore's database at {place[1]} refuses: {error.args[-1]}") from error


def query(text, *values):
    with database() as connection, connection.cursor() as cursor:
        cursor.execute(text, values)
        return cursor.fetchall()


def schema():
    """As `schematool -initSchema`, harmless to repeat."""
    query("CREATE TABLE IF NOT EXISTS TBLS (TBL_NAME VARCHAR(128) PRIMARY KEY, LOCATION TEXT NOT NULL)")
    print("the schema of the metastore is there")


def run():
    def add(name, body):
        query("REPLACE INTO TBLS VALUES (%s, %s)", name, json.loads(body)["location"])
        return {"ok": True}

    def tables(*_):
        return dict(query("SELECT TBL_NAME, LOCATION FROM TBLS ORDER BY TBL_NAME"))

    serve(9083, {"PUT /tables/": add, "GET /tables": tables, "GET /status": lambda *_: {"tables": len(tables())}})
