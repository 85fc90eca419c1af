import { type Action, PERMISSIONS, type Permission, type Role } from '../../../core/access/roles.ts'

/** Whether a role may do something at all: what it may not is not offered. */
export function may(role: Role, action: Action): boolean {
  const { roles }: Permission = PERMISSIONS[action]
  return roles.includes(role)
}
