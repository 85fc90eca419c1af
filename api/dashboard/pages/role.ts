import { isRole, ROLES, type Role } from '../../../core/access/roles.ts'
import { invalidBody } from '../../request/body.ts'
import { text } from '../../request/schema.ts'

/** The role of a member, as a body field. */
export const roleField = text('The role.', 'finance', { enum: [...ROLES] })

/** Throws `invalid_request_body` for an unknown role. */
export function roleOf(sent: string): Role {
  if (isRole(sent)) return sent
  throw invalidBody([{ path: 'role', message: `must be one of ${ROLES.join(', ')}` }])
}
