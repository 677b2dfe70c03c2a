/**
 * Size of libuv's thread pool. DNS look-ups of webhooks' hosts block one of its threads each, and files and password
 * hashing use the same threads: with the default of four, a few silent name servers would block everything. The pool
 * reads its size on first use, so main.ts imports this file first.
 */
process.env.UV_THREADPOOL_SIZE ??= '16';
