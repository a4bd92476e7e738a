// Lives a life on the stand-in with DigitalOcean's own client: usage: lives URL
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/digitalocean/godo"
)

type bearer struct{}

func (bearer) RoundTrip(request *http.Request) (*http.Response, error) {
	request.Header.Set("Authorization", "Bearer dop_v1_good")
	return http.DefaultTransport.RoundTrip(request)
}

func must[T any](value T, response *godo.Response, err error) T {
	done(response, err)
	return value
}

func done(_ *godo.Response, err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func until(what func() bool) {
	for end := time.Now().Add(10 * time.Second); !what(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			fmt.Fprintln(os.Stderr, "it does not come")
			os.Exit(1)
		}
	}
}

func main() {
	ctx := context.Background()
	client, err := godo.New(&http.Client{Transport: bearer{}}, godo.SetBaseURL(os.Args[1]))
	done(nil, err)
	account := must(client.Account.Get(ctx))
	must(client.Tags.Create(ctx, &godo.TagCreateRequest{Name: "cluster:1"}))
	volume := must(client.Storage.CreateVolume(ctx, &godo.VolumeCreateRequest{Region: "nyc3", Name: "data", SizeGigaBytes: 10, Tags: []string{"cluster:1"}}))
	key := must(client.Keys.Create(ctx, &godo.KeyCreateRequest{Name: "ours", PublicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAA"}))
	made := must(client.Droplets.Create(ctx, &godo.DropletCreateRequest{Name: "web", Region: "nyc3", Size: "s-1vcpu-1gb",
		Image: godo.DropletCreateImage{Slug: "debian-12-x64"}, UserData: "#cloud-config\n", Tags: []string{"cluster:1"}, IPv6: true,
		SSHKeys: []godo.DropletCreateSSHKey{{ID: key.ID}}}))
	everywhere := []string{"0.0.0.0/0", "::/0"}
	request := &godo.FirewallRequest{Name: "cluster-1", Tags: []string{"cluster:1"},
		InboundRules:  []godo.InboundRule{{Protocol: "tcp", PortRange: "22", Sources: &godo.Sources{Addresses: everywhere}}},
		OutboundRules: []godo.OutboundRule{{Protocol: "tcp", PortRange: "1-65535", Destinations: &godo.Destinations{Addresses: everywhere}}}}
	firewall := must(client.Firewalls.Create(ctx, request))
	request.InboundRules = append(request.InboundRules, godo.InboundRule{Protocol: "icmp", Sources: &godo.Sources{Tags: []string{"cluster:1"}}, PortRange: "0"})
	must(client.Firewalls.Update(ctx, firewall.ID, request))
	until(func() bool {
		address, _ := must(client.Droplets.Get(ctx, made.ID)).PublicIPv4()
		return address != ""
	})
	must(client.StorageActions.Attach(ctx, volume.ID, made.ID))
	if found := must(client.Droplets.ListByTag(ctx, "cluster:1", nil)); len(found) != 1 || account.DropletLimit != 25 {
		fmt.Fprintln(os.Stderr, "there are", len(found))
		os.Exit(1)
	}
	done(client.Droplets.Delete(ctx, made.ID))
	until(func() bool { return len(must(client.Droplets.List(ctx, nil))) == 0 })
	done(client.Storage.DeleteVolume(ctx, volume.ID))
	done(client.Firewalls.Delete(ctx, firewall.ID))
	done(client.Keys.DeleteByID(ctx, key.ID))
	done(client.Tags.Delete(ctx, "cluster:1"))
}
