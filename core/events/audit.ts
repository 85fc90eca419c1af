import type { Role } from '../access/roles.ts'
import type { MerchantId } from '../base/ids.ts'

/** The audit log: who changed what of a merchant, and from where. */

export type Actor =
  | { readonly type: 'person'; readonly id: string; readonly name: string; readonly role: Role }
  | { readonly type: 'key'; readonly id: string; readonly name: string }
  | { readonly type: 'operator'; readonly id: string; readonly name: string }

/** What is known of a change before it is tried. */
export interface AuditEntry {
  /** Null for what concerns the deployment and no single merchant. */
  readonly merchantId: MerchantId | null
  readonly actor: Actor
  /** An operationId, or what the operator's command is called. */
  readonly action: string
  readonly objectId: string | null
  readonly before: unknown
  /** What was requested. */
  readonly after: unknown
  readonly address: string | null
  readonly agent: string | null
  readonly traceId: string | null
}

export const ACTOR_TYPES = ['person', 'key', 'operator'] as const

/** Changes of a user's own sign-in; they are in the log of each merchant of the user. */
export const SIGN_IN_EVENTS = [
  'signIn',
  'signInFailed',
  'signOut',
  'endSession',
  'endOtherSessions',
  'changePassword',
  'enableSecondFactor',
  'disableSecondFactor',
  'replaceBackupCodes',
  'addPasskey',
  'removePasskey',
  'acceptInvitation',
  'recoverPerson',
] as const
export type SignInEvent = (typeof SIGN_IN_EVENTS)[number]

/** What operators do by the commands that are recorded. */
export const COMMAND_ACTIONS = [
  'inviteMember',
  'changeMember',
  'removeMember',
  'changeApprovalPolicy',
  'recoverPerson',
  'addOperator',
  'removeOperator',
  'rotateSecrets',
  'allowPayer',
  'refusePayer',
  'askAboutPayer',
  'erase',
] as const
export type CommandAction = (typeof COMMAND_ACTIONS)[number]

/** What operators do on their pages, by its operationId. */
export const OPERATOR_PAGE_ACTIONS = ['orderWork'] as const

/** The most characters of the request that are kept, as JSON. */
export const LONGEST_CHANGE = 8_192
export const LONGEST_AGENT = 300
