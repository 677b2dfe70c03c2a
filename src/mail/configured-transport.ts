/** Choice of the transport: a relay, or the outbox if no relay is configured. */
import type { Config } from '../config.ts';
import type { Observer } from '../observe/observer.ts';
import { ehloName, FALLBACK_NAME } from './ehlo-name.ts';
import { createOutboxTransport, type OutboxParts } from './outbox-transport.ts';
import { createSmtpTransport } from './smtp-transport.ts';
import type { MailTransport } from './transport.ts';

/** Dependencies of the transports: the platform itself does not exist yet when the transport is created. */
interface TransportParts extends OutboxParts {
  readonly observe: Observer;
}

/** Creates the configured transport. It connects when there is something to send. */
export function createMailTransport(config: Config, parts: TransportParts): MailTransport {
  if (config.smtpUrl === null) return createOutboxTransport(parts);
  const name = ehloName(config);
  if (name === FALLBACK_NAME && config.role !== 'api')
    parts.observe({
      event: 'mail.unnamed',
      ehlo: name,
      hint: 'Set SMTP_EHLO_NAME, or PUBLIC_URL with a full host name: relays distrust a greeting without one.',
    });
  return createSmtpTransport(config.smtpUrl, { connections: config.smtpConnections, ehloName: name });
}
