"""What the simulated DigitalOcean offers: regions, sizes and images, in the members of the real lists."""

AVAILABLE = ["nyc1", "nyc3", "ams3", "sfo2", "sfo3", "sgp1", "lon1", "fra1", "tor1", "blr1", "syd1"]
CLOSED = ["nyc2", "ams2", "sfo1"]
CITIES = {"nyc": "New York", "ams": "Amsterdam", "sfo": "San Francisco", "sgp": "Singapore", "lon": "London", "fra": "Frankfurt", "tor": "Toronto",
          "blr": "Bangalore", "syd": "Sydney"}

# vcpus, gigabytes of memory and of disk, dollars a month
SHAPES = [(1, 0.5, 10, 4), (1, 1, 25, 6), (1, 2, 50, 12), (2, 2, 60, 18), (2, 4, 80, 24), (4, 8, 160, 48), (8, 16, 320, 96)]
FAMILIES = {"": AVAILABLE, "-amd": AVAILABLE, "-intel": ["nyc1", "nyc3", "fra1", "lon1"]}

DISTRIBUTIONS = [("debian-11-x64", "11 x64", "Debian"), ("debian-12-x64", "12 x64", "Debian"), ("debian-13-x64", "13 x64", "Debian"),
                 ("ubuntu-22-04-x64", "22.04 (LTS) x64", "Ubuntu"), ("ubuntu-24-04-x64", "24.04 (LTS) x64", "Ubuntu"),
                 ("centos-stream-9-x64", "9 Stream x64", "CentOS"), ("fedora-42-x64", "42 x64", "Fedora"), ("rockylinux-9-x64", "9 x64", "Rocky Linux")]
CREATED = "2026-01-05T10:00:00Z"


def size_slug(vcpus, gigabytes, disk, family):
    memory = "512mb" if gigabytes < 1 else f"{gigabytes}gb"
    return f"s-{vcpus}vcpu-{memory}{f'-{disk}gb' if gigabytes < 1 else ''}{family}"


def make_sizes():
    sizes = []
    for family, regions in FAMILIES.items():
        for vcpus, gigabytes, disk, price in SHAPES:
            sizes.append({"slug": size_slug(vcpus, gigabytes, disk, family), "memory": int(gigabytes * 1024), "vcpus": vcpus, "disk": disk,
                          "transfer": float(vcpus), "price_monthly": float(price), "price_hourly": round(price / 672, 5), "regions": list(regions),
                          "available": True, "description": "Basic", "disk_info": [{"type": "local", "size": {"amount": disk, "unit": "gib"}}]})
    for gigabytes in (16, 32):
        sizes.append({**sizes[-1], "slug": f"m-{gigabytes // 8}vcpu-{gigabytes}gb", "memory": gigabytes * 1024, "available": gigabytes == 16, "regions": ["nyc3"],
                      "description": "Memory-Optimized"})
    return {size["slug"]: size for size in sizes}


def make_regions(sizes):
    regions = {}
    for slug in [*AVAILABLE, *CLOSED]:
        regions[slug] = {"slug": slug, "name": f"{CITIES[slug[:3]]} {slug[3:]}", "available": slug in AVAILABLE,
                         "features": ["backups", "ipv6", "metadata", "install_agent", "storage", "image_transfer"],
                         "sizes": [size["slug"] for size in sizes.values() if slug in size["regions"] and size["available"]]}
    return regions


def image(number, name, distribution, slug, regions, kind="base", disk=8):
    return {"id": number, "name": name, "distribution": distribution, "slug": slug, "public": slug is not None, "regions": list(regions), "created_at": CREATED,
            "min_disk_size": disk, "type": kind, "size_gigabytes": 2.5, "description": name, "tags": [], "status": "available"}


def make_images():
    everywhere = AVAILABLE + CLOSED
    images = [image(1000 + place, name, distribution, slug, everywhere) for place, (slug, name, distribution) in enumerate(DISTRIBUTIONS)]
    images += [image(2000 + place, f"Application {place}", "Ubuntu", f"application-{place}", everywhere, disk=25) for place in range(40)]
    images.append(image(900001, "golden", "Debian", None, ["nyc3"], kind="snapshot", disk=50))
    return {entry["id"]: entry for entry in images}
