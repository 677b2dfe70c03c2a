/** All events that can be observed. */
export type Observation =
  | {
      event: 'http.answered';
      route: string;
      method: string;
      status: number;
      seconds: number;
      requestId: string;
      tenantId?: string;
    }
  | { event: 'http.failed'; route: string; requestId: string; error: unknown }
  | { event: 'process.started'; url: string; role: string; database: string }
  | { event: 'model_provider.missing'; message: string }
  | { event: 'process.draining'; signal: string }
  | { event: 'process.stopped' }
  | { event: 'tenant.created'; tenantId: string; code: string }
  | { event: 'tenant.changed'; tenantId: string; status: string }
  | { event: 'tenant.deleted'; tenantId: string; code: string }
  | { event: 'tenant.removed'; tenantId: string }
  | { event: 'tenant.reset'; tenantId: string; code: string }
  | { event: 'session.revoked'; tenantId: string; membershipId: string; reason: string }
  | { event: 'work_queue.claimed'; workQueue: string; count: number }
  /** Other workers, or changes by callers, have ended claims during attempts. */
  | { event: 'work_queue.lost'; workQueue: string; count: number }
  | { event: 'work_queue.acknowledged'; workQueue: string; outcome: string; count: number }
  /** The name in the relay's greeting is not a valid host name. */
  | { event: 'mail.unnamed'; ehlo: string; hint: string }
  | {
      event: 'mail.refused';
      refused: 'account' | 'sender';
      answer: string;
      tenantId: string;
      transmissionId: string;
    }
  | {
      event: 'mail.paused';
      scope: 'relay' | 'sending';
      reason: string;
      tenantId?: string;
      transmissionId?: string;
    }
  | { event: 'work_queue.failed'; workQueue: string; error: unknown }
  | { event: 'job.finished'; job: string; seconds: number }
  | { event: 'job.failed'; job: string; error: unknown }
  | { event: 'automation.logged'; tenantId: string; key: string; runId: string; message: string }
  | { event: 'background.failed'; task: string; error: unknown };
