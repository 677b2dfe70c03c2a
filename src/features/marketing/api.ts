/** The functions, values and types that other areas use. */
export {
  dryRunData,
  findMailSubscribers,
  type MailSubscriber,
  SAMPLE_SUBSCRIBER,
  subscriberTemplateData,
} from './campaigns/index.ts';
