/** Types of events. */
export const EVENT_TYPES = ['page_view', 'purchase', 'engagement_time'] as const;
/** Type of an event. */
export type EventType = (typeof EVENT_TYPES)[number];

declare module '../../../db/tables.ts' {
  interface Tables {
    marketing_events: {
      tenant_id: string;
      id: string;
      /** Unit of the subscriber. */
      owner_bu_id: string;
      type: EventType;
      subscriber_id: string;
      marketing_email_id: string | null;
      campaign_code: string | null;
      url: string | null;
      amount: number | null;
      seconds: number | null;
      occurred_at: Time;
    };
    marketing_behaviour: {
      tenant_id: string;
      marketing_email_id: string;
      subscriber_id: string;
      /** Unit of the subscriber. */
      owner_bu_id: string;
      first_page_view_at: Time | null;
      last_page_view_at: Time | null;
      page_view_count: number;
      total_engagement_time_seconds: number;
      first_purchase_at: Time | null;
      last_purchase_at: Time | null;
      purchase_count: number;
      total_purchase_amount: number;
    };
  }
}
