/** The functions, values and types that other areas use. */
export {
  findMailSubscribers,
  type MailSubscriber,
  previewData,
  SAMPLE_SUBSCRIBER,
  subscriberTemplateData,
} from './campaigns/index.ts';
