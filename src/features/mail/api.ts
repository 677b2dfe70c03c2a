/** The functions, values and types that other areas use. */
export {
  findSyntaxFault,
  findTemplateToSend,
  loadSnippets,
  lockTemplates,
  type RenderResult,
  renderContent,
  type TemplateError,
  templateUses,
} from './email-templates/index.ts';
export {
  messageEngagement,
  unsubscribeHandlers,
  unsubscribeLinks,
} from './email-tracking/index.ts';
export {
  acceptPlatformMail,
  campaignRecipients,
  contentOfTemplate,
  deleteTransmissions,
  engagement,
  eraseMessagesTo,
  findPlatformMailState,
  getRecipientHistory,
  type PlatformMail,
  type RecipientData,
  RecipientHistory,
  recipientMessages,
  renderAgain,
  type StoredContent,
  sendingFigures,
  sendings,
  type Viewer,
} from './transmissions/index.ts';
