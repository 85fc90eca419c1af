import { approvalsLift } from './approvals.ts'
import { databaseRoles } from './database.ts'
import { doctorCommand } from './doctor/command.ts'
import { eraseCommand } from './erase.ts'
import { exportCommand } from './export/command.ts'
import { gasCommand } from './gas.ts'
import { hubDeploy } from './hub/deploy.ts'
import { PROPOSAL_COMMANDS } from './hub/governance/execute.ts'
import { PROPOSE_COMMANDS } from './hub/governance/propose.ts'
import { STOP_COMMANDS } from './hub/governance/stop.ts'
import { signerShow } from './hub/signerShow.ts'
import { hubStatus } from './hub/status.ts'
import { INVOICE_COMMANDS } from './invoices.ts'
import { merchantInvite, merchantMember } from './members.ts'
import { MERCHANT_COMMANDS } from './merchants.ts'
import { migrateCommand } from './migrate.ts'
import { OPERATOR_COMMANDS } from './operators.ts'
import { PAYMENT_COMMANDS } from './payments.ts'
import { personRecover } from './people.ts'
import { reconcileCommand } from './reconcile/command.ts'
import { recoverCommand } from './recover/command.ts'
import { recoverRefunds } from './recover/refunds.ts'
import { RELAYER_COMMANDS } from './relayers.ts'
import { SCREENING_COMMANDS } from './screening.ts'
import { SECRET_COMMANDS } from './secrets.ts'
import type { CommandSpec } from './terminal/command.ts'
import { topCommand } from './top/command.ts'
import { listenCommand } from './webhooks/listen.ts'
import { triggerCommand } from './webhooks/trigger.ts'
import { WORK_COMMANDS } from './work/commands.ts'

/** Every command there is, in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [
  ...MERCHANT_COMMANDS,
  merchantInvite,
  merchantMember,
  personRecover,
  approvalsLift,
  ...OPERATOR_COMMANDS,
  ...INVOICE_COMMANDS,
  ...PAYMENT_COMMANDS,
  ...WORK_COMMANDS,
  ...SCREENING_COMMANDS,
  exportCommand,
  eraseCommand,
  reconcileCommand,
  recoverCommand,
  recoverRefunds,
  doctorCommand,
  topCommand,
  hubDeploy,
  hubStatus,
  ...STOP_COMMANDS,
  ...PROPOSE_COMMANDS,
  ...PROPOSAL_COMMANDS,
  ...RELAYER_COMMANDS,
  gasCommand,
  ...SECRET_COMMANDS,
  signerShow,
  listenCommand,
  triggerCommand,
  migrateCommand,
  databaseRoles,
]
