/**
 * A relay that accepts and discards every message as fast as it can: it parses only commands and the end of the data.
 * Over HTTP, `GET /` returns its port and the arrival times of messages (its own clock, ms), and `DELETE /` discards
 * them. After `POST /pause` it delays responses to messages until `POST /resume`.
 */
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';

const END = Buffer.from('\r\n.\r\n');
let arrivals: number[] = [];
let bytes = 0;
/** Connections that wait for a response; null if responses are not paused. */
let waiting: Socket[] | null = null;

function serve(socket: Socket): void {
  let isData = false;
  /** Unparsed end of the last chunk: a possible start of the end-of-data mark, or an unfinished command. */
  let rest: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.write('220 sink\r\n');
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const end = isData ? rest.indexOf(END) : rest.indexOf('\r\n');
      if (end < 0) {
        if (isData && rest.length > END.length) rest = rest.subarray(rest.length - END.length);
        return;
      }
      if (isData) {
        isData = false;
        arrivals.push(performance.now());
        if (waiting) waiting.push(socket);
        else accept(socket);
        rest = rest.subarray(end + END.length);
      } else {
        isData = answer(socket, rest.toString('latin1', 0, end));
        rest = rest.subarray(end + 2);
      }
    }
  });
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
}

function accept(socket: Socket): void {
  socket.write('250 2.0.0 accepted\r\n');
}

/** Answers a command. Returns true if message data follows. */
function answer(socket: Socket, command: string): boolean {
  const verb = command.slice(0, 4).toUpperCase();
  if (verb === 'EHLO') socket.write('250-sink\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n');
  else if (verb === 'DATA') socket.write('354 go on\r\n');
  else if (verb === 'QUIT') socket.end('221 bye\r\n');
  else socket.write('250 ok\r\n');
  return verb === 'DATA';
}

const smtp = createServer(serve);
const control = createHttpServer((request, response) => {
  if (request.method === 'DELETE') {
    arrivals = [];
    bytes = 0;
  }
  if (request.url === '/pause') waiting ??= [];
  if (request.url === '/resume') {
    for (const socket of waiting ?? []) accept(socket);
    waiting = null;
  }
  const address = smtp.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  response.end(JSON.stringify({ port, bytes, arrivals }));
});

smtp.listen(0, '127.0.0.1', () => {
  control.listen(0, '127.0.0.1', () => {
    const address = control.address();
    if (typeof address === 'object' && address !== null)
      console.log(`runs at http://127.0.0.1:${address.port}`);
  });
});
process.once('SIGTERM', () => process.exit(0));
