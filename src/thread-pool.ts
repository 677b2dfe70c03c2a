/**
 * Name look-ups of webhooks' hosts block a thread of libuv's pool each, and share its four threads with files and
 * password hashing: a few names whose servers do not answer would hold up all of it. The pool reads its size when it is
 * first used, so main.ts imports this before everything else.
 */
process.env.UV_THREADPOOL_SIZE ??= '16';
