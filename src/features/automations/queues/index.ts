import type { Feature } from '../../feature.ts';
import { brokerPublisher } from './broker.ts';
import { queueConsumers } from './consumers.ts';
import { examples } from './examples.ts';
import { queueOutbox } from './outbox.ts';
import { publishAction } from './publish-action.ts';
import { releaseWaiting } from './release.ts';
import { waitingRetention } from './retention.ts';
import { routes } from './routes.ts';
import { queueTrigger } from './trigger.ts';

/** Messages that trigger automations, in the database or through a broker. */
export const queues: Feature = {
  name: 'queues',
  examples,
  routes,
  jobs: [releaseWaiting],
  workQueues: [queueOutbox],
  retentions: [waitingRetention],
  actionTypes: [publishAction],
  automationTriggers: [queueTrigger],
  start: async (platform) => {
    const { amqpUrl, role } = platform.config;
    if (amqpUrl === null || role === 'api') return;
    const broker = brokerPublisher(platform);
    platform.metrics.gauge(
      'tessera_broker_connected',
      '1 if the broker of AMQP_URL can be reached, else 0.',
      async () => (broker.isConnected ? 1 : 0),
    );
    queueConsumers(platform).start();
  },
};
