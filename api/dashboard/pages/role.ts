import { isRole, ROLES, type Role } from '../../../core/access/roles.ts'
import { invalidBody } from '../../request/body.ts'
import { text } from '../../request/schema.ts'

/** The role in a body. */
export const roleField = text('What they may do.', 'finance', { enum: [...ROLES] })

/** Throws `invalid_request_body` for what is no role. */
export function roleOf(sent: string): Role {
  if (isRole(sent)) return sent
  throw invalidBody([{ path: 'role', message: `must be one of ${ROLES.join(', ')}` }])
}
