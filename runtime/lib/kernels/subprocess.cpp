#include "kernels/subprocess.h"

#include <cerrno>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace tt::runtime::kernels {

Finished runProgram(const std::vector<std::string> &arguments,
                    Capture capture) {
  Finished done;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) {
    done.error = errno;
    return done;
  }
  std::vector<char *> argv;
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  if (capture == Capture::OutputAndErrors)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  else
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t process = 0;
  done.error = posix_spawnp(&process, argv.front(), &actions, nullptr,
                            argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (!done.error) {
    char bytes[4096];
    ssize_t count;
    while ((count = read(ends[0], bytes, sizeof bytes)) > 0 ||
           (count < 0 && errno == EINTR))
      done.output.append(bytes, count > 0 ? std::size_t(count) : 0);
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
      ;
    done.status =
        WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  close(ends[0]);
  return done;
}

} // namespace tt::runtime::kernels
