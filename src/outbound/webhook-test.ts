/** One request that shows a member what a receiver answers, without retries and without a trace in the database. */
import Type, { type Static } from 'typebox';
import { currentCause } from '../db/work-kind.ts';
import { chainHeaders } from '../flows/chain.ts';
import type { MemberContext } from '../http/context.ts';

/** Result of a test. */
export const TestReply = Type.Object(
  {
    success: Type.Boolean({ description: 'True if the receiver returned a 2xx status.' }),
    status_code: Type.Optional(Type.Integer({ description: 'Absent without a response.' })),
    response_body: Type.Optional(
      Type.String({ description: 'First 64 KiB of the response; secret header values are masked.' }),
    ),
    error: Type.Optional(Type.String({ description: 'Why no response arrived.' })),
    duration_ms: Type.Integer(),
  },
  { title: 'WebhookTestReply' },
);
/** Result of a test. */
export type TestReply = Static<typeof TestReply>;

/** The request of a test. */
export interface TestRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
  /** Masks secrets in the response. */
  readonly redact: (text: string) => string;
}

/** Sends a test once and returns the answer. */
export async function sendTest(
  { platform, db }: Pick<MemberContext, 'platform' | 'db'>,
  { url, headers, body, redact }: TestRequest,
): Promise<TestReply> {
  const result = await platform.outbound.send({
    url,
    method: 'POST',
    headers: {
      ...headers,
      ...chainHeaders(platform, currentCause(db.tenantId)),
      'Content-Type': 'application/json',
    },
    body,
    timeoutMs: platform.config.webhookTimeoutSeconds * 1000,
  });
  if (!result.ok) return { success: false, error: result.error, duration_ms: result.durationMs };
  return {
    success: result.status >= 200 && result.status < 300,
    status_code: result.status,
    response_body: redact(result.body),
    duration_ms: result.durationMs,
  };
}
