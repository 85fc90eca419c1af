import { AppError } from '../../core/errors.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * The invoice's id as it stands in a path, in lower case. Throws `invalid_invoice_id`, also for what
 * the router could not even decode.
 */
export function parseInvoiceId(text: unknown): string {
  if (typeof text === 'string' && UUID.test(text)) return text.toLowerCase()
  throw new AppError('invalid_invoice_id', [{ path: 'id', message: 'must be a UUID' }])
}
