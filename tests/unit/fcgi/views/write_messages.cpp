// Writes the catalogue of the views' texts for translators: write_messages <file>.
#include <fstream>
#include <iostream>

#include "fcgi/views/renderer.hpp"

int main(int count, char** arguments) {
    if (count != 2) {
        std::cerr << "usage: write_messages <file>\n";
        return 1;
    }
    const auto texts = fcgi::views::texts_for_translators(fcgi::views::load_views("views"));
    std::ofstream file(arguments[1]);
    file << provisioner::messages::to_pot(texts);
    file.close();
    if (file) return 0;
    std::cerr << "cannot write " << arguments[1] << '\n';
    return 1;
}
