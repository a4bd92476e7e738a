// The least a FastCGI program can do, with as many threads as cooperage-web: bench_hello SOCKET.

#include <fcgiapp.h>
#include <sys/stat.h>

#include <cstdio>
#include <thread>
#include <vector>

namespace {

constexpr int threads = 8;
constexpr int backlog = 1024;

void answer(int socket) {
    FCGX_Request request;
    FCGX_InitRequest(&request, socket, 0);
    while (FCGX_Accept_r(&request) >= 0) {
        FCGX_PutS("Content-Type: text/plain\r\nContent-Length: 6\r\n\r\nhello\n", request.out);
        FCGX_Finish_r(&request);
    }
}

}  // namespace

int main(int count, char** words) {
    if (count != 2 || FCGX_Init() != 0) return 2;
    const int socket = FCGX_OpenSocket(words[1], backlog);
    if (socket < 0 || chmod(words[1], 0666) != 0) {
        std::perror(words[1]);
        return 1;
    }
    std::vector<std::thread> all;
    for (int i = 0; i < threads; ++i) all.emplace_back(answer, socket);
    for (auto& thread : all) thread.join();
}
