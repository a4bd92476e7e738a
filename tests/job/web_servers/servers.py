"""nginx, Apache and lighttpd as an operator of Debian sets them up with our files. The files are changed only where they say what to
change: names, trusted proxies, the prefix."""

import re
import shutil
import subprocess
import time
from pathlib import Path

from .place import SHARED, TRUSTED_PROXY, die, run

NGINX_FILES = SHARED / "nginx"
NAMES = ["cooperage.example.com", "other.example.com"]


def edit(path, *changes):
    """Each change is a pattern and what stands in its place; one that is not there is an error."""
    text = Path(path).read_text()
    for pattern, replacement in changes:
        text, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
        if count == 0:
            die(f"{path} has nothing like {pattern}")
    Path(path).write_text(text)


class WebServer:
    """One web server; `start` with what is enabled so far, after its own test of the configuration."""

    process = None
    counts_logins = True
    # Whether it adds Strict-Transport-Security and a policy to what it answers itself.
    adds_hsts = True
    counts_requests = True
    # Whether it asks the program who sends a file before it takes it in.
    asks_who_sends_files = False
    takes_chunks = True
    has_retry_after = True
    answers_trace_by_itself = False

    def start(self):
        run(*self.configuration_test)
        self.process = subprocess.Popen(self.command)

    def stop(self):
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None
        time.sleep(0.2)

    def restart(self):
        self.stop()
        self.start()


class Nginx(WebServer):
    name = "nginx"
    asks_who_sends_files = True
    configuration_test = ["nginx", "-t"]
    command = ["nginx", "-g", "daemon off;"]
    sites = Path("/etc/nginx/sites-available")

    def install(self):
        for link in Path("/etc/nginx/sites-enabled").iterdir():
            link.unlink()
        self.enable("cooperage", NGINX_FILES / "cooperage.conf")

    def enable(self, site, source):
        shutil.copy(source, self.sites / site)
        Path(f"/etc/nginx/sites-enabled/{site}").symlink_to(self.sites / site)

    def offer_to_everybody(self):
        self.enable("cooperage-tls", NGINX_FILES / "cooperage-tls.conf")
        edit(self.sites / "cooperage-tls", (r"server_name .*;", f"server_name {' '.join(NAMES)};"))

    def trust_proxy(self):
        edit(self.sites / "cooperage", (r"^#set_real_ip_from 192\.0\.2\.10;", f"set_real_ip_from {TRUSTED_PROXY};"),
             (r"^#(real_ip_.*)", r"\1"))

    def move_below(self, prefix):
        """Onto port 8081, beside another site."""
        edit(self.sites / "cooperage", (r"^( *)#(rewrite .*)", r"\1\2"), (r"^set_real_ip_from .*", "set_real_ip_from 127.0.0.1;"),
             ("/cooperage\\(", f"{prefix}("))
        edit(NGINX_FILES / "prefix.conf", ("location = /cooperage", f"location = {prefix}"), ("301 /cooperage/", f"301 {prefix}/"),
             ("location \\^~ /cooperage/", f"location ^~ {prefix}/"))
        other = SHARED / "other.conf"
        other.write_text("server { listen 127.0.0.1:8081; location / { return 200 \"another site\"; } "
                         f"include {NGINX_FILES}/prefix.conf; }}")
        self.enable("other", other)


class Apache(WebServer):
    name = "Apache"
    configuration_test = ["apache2ctl", "configtest"]
    command = ["bash", "-c", "mkdir -p /run/apache2 && . /etc/apache2/envvars && exec apache2 -D FOREGROUND"]
    answers_trace_by_itself = True
    counts_logins = False
    counts_requests = False
    takes_chunks = False
    sites = Path("/etc/apache2/sites-available")

    def install(self):
        for link in Path("/etc/apache2/sites-enabled").iterdir():
            link.unlink()
        run("a2enmod", "proxy_fcgi", "headers", "deflate", "buffer", "setenvif", "reqtimeout", "alias")
        self.enable("cooperage", NGINX_FILES / "apache.conf")

    def enable(self, site, source):
        shutil.copy(source, self.sites / f"{site}.conf")
        run("a2ensite", site)

    def offer_to_everybody(self):
        run("a2enmod", "ssl")
        self.enable("cooperage-tls", NGINX_FILES / "apache-tls.conf")
        edit(self.sites / "cooperage-tls.conf", (r"#ServerAlias .*", f"ServerAlias {NAMES[1]}"))

    def trust_proxy(self):
        run("a2enmod", "remoteip")
        edit(self.sites / "cooperage.conf", (r"^#(RemoteIP.*)", r"\1"))

    def move_below(self, prefix):
        run("a2dissite", "cooperage-tls")
        edit(self.sites / "cooperage.conf", ('COOPERAGE_ROOT "/"', f'COOPERAGE_ROOT "{prefix}/"'),
             (r'^#RedirectMatch permanent .*', f'RedirectMatch permanent "^{prefix}$" "{prefix}/"'))
        other = SHARED / "other.conf"
        Path("/etc/other-site").mkdir(exist_ok=True)
        Path("/etc/other-site/index.html").write_text("another site")
        other.write_text("Listen 127.0.0.1:8081\n<VirtualHost 127.0.0.1:8081>\nServerName localhost\nDocumentRoot /etc/other-site\n"
                         "<Directory /etc/other-site>\nRequire all granted\n</Directory>\n"
                         f"Include {NGINX_FILES}/apache-site.conf\n</VirtualHost>\n")
        self.enable("other", other)


class Lighttpd(WebServer):
    name = "lighttpd"
    configuration_test = ["lighttpd", "-tt", "-f", "/etc/lighttpd/lighttpd.conf"]
    command = ["lighttpd", "-D", "-f", "/etc/lighttpd/lighttpd.conf"]
    counts_logins = False
    counts_requests = False
    has_retry_after = False
    adds_hsts = False
    sites = Path("/etc/lighttpd/conf-available")

    def install(self):
        for link in Path("/etc/lighttpd/conf-enabled").iterdir():
            link.unlink()
        self.enable("50-cooperage", NGINX_FILES / "lighttpd.conf")

    def enable(self, site, source):
        shutil.copy(source, self.sites / f"{site}.conf")
        run("lighty-enable-mod", site.partition("-")[2])

    def offer_to_everybody(self):
        self.enable("51-cooperage-tls", NGINX_FILES / "lighttpd-tls.conf")
        pattern = "|".join(NAMES).replace(".", r"\\.")
        edit(self.sites / "51-cooperage-tls.conf", (r'"\^\(cooperage.*\$"', rf'"^({pattern})(:80|:443)?$"'))

    def trust_proxy(self):
        edit(self.sites / "50-cooperage.conf", (r"^#(server\.modules .*mod_extforward.*|extforward.*)", r"\1"))

    def move_below(self, prefix):
        edit(self.sites / "50-cooperage.conf", ('cooperage_prefix = ""', f'cooperage_prefix = "{prefix}"'))
        other = SHARED / "other.conf"
        Path("/etc/other-site").mkdir(exist_ok=True)
        Path("/etc/other-site/index.html").write_text("another site")
        other.write_text('$SERVER["socket"] == "127.0.0.1:8081" {\n server.document-root = "/etc/other-site"\n'
                         f' include "{NGINX_FILES}/lighttpd-site.conf"\n}}\n')
        self.enable("60-other", other)
