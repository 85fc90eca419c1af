export { type ErrorCode, RemitError, type RemitErrorDetail } from './error.ts'
export type { EventType, WebhookEvent } from './events.ts'
export type { Page } from './pages.ts'
export { Remit } from './remit.ts'
export type { components, operations, paths } from './schema.ts'
export type * from './shapes.ts'
export type { CallOptions, CreateOptions, RemitOptions } from './transport.ts'
export {
  type HeadersLike,
  type VerifyOptions,
  verifyWebhook,
  WebhookVerificationError,
} from './webhook.ts'
