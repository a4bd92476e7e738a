"""Glance: images by id and name, 25 on a page. Cinder: volumes."""

import json

from fault_server import Answer


def glance_versions(cloud, _request):
    return Answer(300, {"versions": [{"id": "v2.16", "status": "CURRENT", "links": [{"rel": "self", "href": cloud.base + "/image/v2/"}]}]})


def images(cloud, request):
    query = dict(request.query)
    found = [image for image in cloud.images.values() if "name" not in query or image["name"] == query["name"]]
    if "marker" in query:
        ids = [image["id"] for image in found]
        found = found[ids.index(query["marker"]) + 1:]
    most = int(query.get("limit", 25))
    body = {"images": found[:most], "first": "/v2/images", "schema": "/v2/schemas/images"}
    if len(found) > most:
        rest = "&".join(f"{name}={value}" for name, value in request.query if name != "marker")
        body["next"] = f"/v2/images?{rest + '&' if rest else ''}marker={found[most - 1]['id']}"
    return Answer(200, body)


def image(cloud, _request, identity):
    if identity not in cloud.images:
        raise Answer(404, b"<html><head><title>404 Not Found</title></head><body>No image found</body></html>", {"Content-Type": "text/html"})
    return Answer(200, cloud.images[identity])


def existing(cloud, identity):
    if identity not in cloud.volumes:
        raise Answer(404, {"itemNotFound": {"code": 404, "message": f"Volume {identity} could not be found."}})
    return cloud.volumes[identity]


def volumes(cloud, request):
    wanted = json.loads(request.first("metadata", "{}").replace("'", '"'))
    return Answer(200, {"volumes": [volume for volume in cloud.volumes.values() if all(volume["metadata"].get(key) == value for key, value in wanted.items())]})


def volume(cloud, _request, identity):
    return Answer(200, {"volume": existing(cloud, identity)})


def mark_volume(cloud, request, identity):
    existing(cloud, identity)["metadata"].update(request.json()["metadata"])
    return Answer(200, {"metadata": existing(cloud, identity)["metadata"]})


def delete_volume(cloud, _request, identity):
    if existing(cloud, identity)["status"] not in ("available", "error"):
        raise Answer(400, {"badRequest": {"code": 400, "message": "Invalid volume: Volume status must be available or error or error_restoring or "
                                                                   "error_extending or error_managing and must not be migrating, attached, belong to a group"}})
    del cloud.volumes[identity]
    return Answer(202)


BASE = r"/volume/v3/[0-9a-f]+"
ROUTES = (("image.versions", "GET", r"/image/?", glance_versions, False), ("image.list_images", "GET", r"/image/v2/images", images, True),
          ("image.show_image", "GET", r"/image/v2/images/([^/]+)", image, True), ("volume.list_volumes", "GET", BASE + r"/volumes/detail", volumes, True),
          ("volume.show_volume", "GET", BASE + r"/volumes/([^/]+)", volume, True),
          ("volume.mark_volume", "POST", BASE + r"/volumes/([^/]+)/metadata", mark_volume, True),
          ("volume.delete_volume", "DELETE", BASE + r"/volumes/([^/]+)", delete_volume, True))
