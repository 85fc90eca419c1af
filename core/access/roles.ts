/**
 * What each role of a merchant may do: the one table. An action is an operation of the API by its operationId,
 * or one of the dashboard's own. What is not in the table is forbidden in a browser.
 */

export const ROLES = ['owner', 'finance', 'developer', 'support', 'reader'] as const
export type Role = (typeof ROLES)[number]

export interface Permission {
  readonly roles: readonly Role[]
  /** True for what needs a sign-in of the last minutes: a browser that was left open is not enough. */
  readonly isFresh?: boolean
  /**
   * True for what shops' servers do all day by their keys. The rows are their own record then; people who
   * do the same are audited as for everything else.
   */
  readonly isRoutine?: boolean
}

/** So long after signing in a session is fresh, in ms. */
export const FRESH_MS = 10 * 60_000

/** Roles that move money, or make the keys that can: they act only with a second factor. */
export const SECOND_FACTOR_ROLES: readonly Role[] = ['owner', 'finance', 'developer']

const ALL: Permission = { roles: ROLES }
const SALES: Permission = { roles: ['owner', 'finance', 'developer'] }
const CARE: Permission = { roles: ['owner', 'finance', 'support'] }
const MONEY: Permission = { roles: ['owner', 'finance'], isFresh: true }
const BUILD: Permission = { roles: ['owner', 'developer'] }
const OWNER: Permission = { roles: ['owner'] }

export const PERMISSIONS = {
  listInvoices: ALL,
  getInvoice: ALL,
  listInvoiceTransactions: ALL,
  listInvoiceRefunds: ALL,
  listRecoveries: ALL,
  listBalances: ALL,
  search: ALL,
  createInvoice: { ...SALES, isRoutine: true },
  expireInvoice: CARE,
  submitTransaction: CARE,
  acceptLatePayment: CARE,
  acceptPartialPayment: CARE,
  createRefund: MONEY,
  recordExternalRefund: MONEY,
  listPrices: ALL,
  getPrice: ALL,
  createPrice: { ...SALES, isRoutine: true },
  changePrice: SALES,
  deletePrice: SALES,
  listPaymentLinks: ALL,
  getPaymentLink: ALL,
  createPaymentLink: { ...SALES, isRoutine: true },
  changePaymentLink: SALES,
  getCheckoutSettings: ALL,
  changeCheckoutSettings: BUILD,
  replaceLogo: BUILD,
  removeLogo: BUILD,
  listOwnAddresses: ALL,
  registerOwnAddress: MONEY,
  removeOwnAddress: MONEY,
  listX402Endpoints: ALL,
  getX402Endpoint: ALL,
  getX402Requirements: ALL,
  findX402Requirements: ALL,
  createX402Endpoint: { ...BUILD, isRoutine: true },
  changeX402Endpoint: BUILD,
  deactivateX402Endpoint: BUILD,
  listX402Channels: ALL,
  getX402Channel: ALL,
  getChannelVoucher: ALL,
  storeChannelVoucher: { ...BUILD, isRoutine: true },
  listX402Payments: ALL,
  getX402Payment: ALL,
  listX402Refunds: ALL,
  createX402Refund: MONEY,
  listWebhookEndpoints: ALL,
  getWebhookEndpoint: ALL,
  createWebhookEndpoint: BUILD,
  changeWebhookEndpoint: BUILD,
  deleteWebhookEndpoint: BUILD,
  rotateWebhookSecret: { ...BUILD, isFresh: true },
  testWebhookEndpoint: BUILD,
  replayWebhooks: BUILD,
  listWebhookDeliveries: ALL,
  getWebhookDelivery: ALL,
  redeliverWebhook: BUILD,
  listEvents: ALL,
  getEvent: ALL,
  reportTransactions: ALL,
  reportDays: ALL,
  sandboxFaucet: BUILD,
  sandboxScenario: BUILD,
  getRecipient: ALL,
  changeRecipient: { ...OWNER, isFresh: true },
  // It only preserves the current state, and must not wait for an authenticator.
  cancelRecipientChange: OWNER,
  // The dashboard's own.
  listApprovals: ALL,
  approveRequest: MONEY,
  refuseRequest: MONEY,
  getApprovalPolicy: ALL,
  changeApprovalPolicy: { ...OWNER, isFresh: true },
  listApprovedRecipients: ALL,
  addApprovedRecipient: { ...OWNER, isFresh: true },
  removeApprovedRecipient: OWNER,
  listApiKeys: ALL,
  createApiKey: { ...BUILD, isFresh: true },
  replaceApiKey: { ...BUILD, isFresh: true },
  revokeApiKey: { ...BUILD, isFresh: true },
  listRequests: ALL,
  getX402Overview: ALL,
  getWebhookDays: ALL,
  getQuickStart: ALL,
  getSandbox: ALL,
  sendSampleEvent: BUILD,
  advanceSandboxTime: BUILD,
  resetSandbox: { ...OWNER, isFresh: true },
  listMembers: ALL,
  changeMember: { ...OWNER, isFresh: true },
  removeMember: { ...OWNER, isFresh: true },
  listInvitations: OWNER,
  inviteMember: { ...OWNER, isFresh: true },
  revokeInvitation: { ...OWNER, isFresh: true },
  listAuditEntries: OWNER,
  followMerchant: ALL,
  getOverview: ALL,
  find: ALL,
  listSettlements: ALL,
  listPayouts: ALL,
  listRefunds: ALL,
  listViews: ALL,
  saveView: ALL,
  deleteView: ALL,
  getNotifications: ALL,
  changeNotifications: ALL,
  listReportSchedules: ALL,
  createReportSchedule: ALL,
  deleteReportSchedule: ALL,
} as const satisfies Readonly<Record<string, Permission>>

export type Action = keyof typeof PERMISSIONS

export function isAction(name: string): name is Action {
  return Object.hasOwn(PERMISSIONS, name)
}

export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text)
}

/** What permissions depend on of a signed-in user. */
export interface SignedInUser {
  readonly role: Role
  readonly hasSecondFactor: boolean
  /** The last complete sign-in. */
  readonly signedInAt: Date
}

export type RoleVerdict =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly code: 'role_not_sufficient' | 'second_factor_required' | 'fresh_sign_in_required'
    }

/** Whether a user with this role and factors may do this now. */
export function permits(user: SignedInUser, action: Action, now: Date): RoleVerdict {
  const { roles, isFresh = false }: Permission = PERMISSIONS[action]
  if (!roles.includes(user.role)) return { ok: false, code: 'role_not_sufficient' }
  if (SECOND_FACTOR_ROLES.includes(user.role) && !user.hasSecondFactor) {
    return { ok: false, code: 'second_factor_required' }
  }
  const age = now.getTime() - user.signedInAt.getTime()
  if (isFresh && age > FRESH_MS) return { ok: false, code: 'fresh_sign_in_required' }
  return { ok: true }
}

/** Whether a change by an API key is recorded: all but what servers do all day. */
export function isAuditedForKeys(action: Action): boolean {
  const { isRoutine = false }: Permission = PERMISSIONS[action]
  return !isRoutine
}
