/**
 * The model provider of `streams`: answers each request with CHUNKS pieces, PAUSE_MS apart. Each is its sending time.
 */
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const chunks = Number(process.env.CHUNKS);
const pauseMs = Number(process.env.PAUSE_MS);

const frame = (event: { readonly type: string }) =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

const server = createServer(async (request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(frame({ type: 'message_start' }));
  const block = { type: 'text', text: '' };
  response.write(frame(Object.assign({ type: 'content_block_start' }, { index: 0, content_block: block })));
  for (let sent = 0; sent < chunks; sent += 1) {
    await pause(pauseMs);
    const delta = { type: 'text_delta', text: `${performance.timeOrigin + performance.now()} ` };
    response.write(frame(Object.assign({ type: 'content_block_delta' }, { index: 0, delta })));
  }
  response.end(frame({ type: 'message_stop' }));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(
    `runs at http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
  );
});
