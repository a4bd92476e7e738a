// Writes every sample as an HTML file: draw_samples <folder>. For looking at the pages without a
// server.
#include <fstream>
#include <iostream>

#include "fcgi/views/renderer.hpp"
#include "samples.hpp"

int main(int count, char** arguments) {
    if (count != 2) {
        std::cerr << "usage: draw_samples <folder>\n";
        return 1;
    }
    const fcgi::views::Renderer renderer(fcgi::views::load_views("views"));
    for (const auto& sample : samples::all()) {
        std::ofstream file(std::string(arguments[1]) + '/' + sample.name + ".html");
        file << renderer.render(sample.view, sample.data);
        if (!file) {
            std::cerr << "cannot write " << sample.name << '\n';
            return 1;
        }
    }
    return 0;
}
