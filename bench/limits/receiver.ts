/**
 * A receiver of deliveries that answers as fast as it can. `GET /?count=N` returns the number of deliveries, and after
 * N of them also their arrival times (its own clock, ms). `DELETE /` discards them.
 */
import { createServer } from 'node:http';

let arrivals: number[] = [];

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    const wanted = Number(new URL(request.url ?? '', 'http://receiver').searchParams.get('count'));
    response.end(
      JSON.stringify({ count: arrivals.length, arrivals: arrivals.length < wanted ? [] : arrivals }),
    );
    return;
  }
  if (request.method === 'DELETE') {
    arrivals = [];
    response.end();
    return;
  }
  request.resume();
  request.on('end', () => {
    arrivals.push(performance.now());
    response.end('ok');
  });
});

// Longer than any pause between rounds, so that no client writes to a connection that is being closed.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null)
    console.log(`runs at http://127.0.0.1:${address.port}`);
});
process.once('SIGTERM', () => process.exit(0));
