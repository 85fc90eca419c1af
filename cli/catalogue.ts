import { merchantInvite, merchantMember } from './access/members.ts'
import { MERCHANT_COMMANDS } from './access/merchants.ts'
import { OPERATOR_COMMANDS } from './access/operators.ts'
import { userRecover } from './access/recovery.ts'
import { exportCommand } from './books/export.ts'
import { reconcileCommand } from './books/reconcileCommand.ts'
import { hubDeploy } from './hub/deploy.ts'
import { PROPOSAL_COMMANDS } from './hub/execute.ts'
import { PROPOSE_COMMANDS } from './hub/propose.ts'
import { signerShow } from './hub/signerShow.ts'
import { hubStatus } from './hub/status.ts'
import { STOP_COMMANDS } from './hub/stop.ts'
import { approvalsLift } from './operate/approvals.ts'
import { databaseRoles } from './operate/databaseRoles.ts'
import { doctorCommand } from './operate/doctor.ts'
import { eraseCommand } from './operate/erase.ts'
import { gasCommand } from './operate/gas.ts'
import { INVOICE_COMMANDS } from './operate/invoices.ts'
import { migrateCommand } from './operate/migrate.ts'
import { PAYMENT_COMMANDS } from './operate/payments.ts'
import { recoverCommand } from './operate/recover.ts'
import { recoverRefunds } from './operate/recoverRefunds.ts'
import { RELAYER_COMMANDS } from './operate/relayers.ts'
import { SCREENING_COMMANDS } from './operate/screening.ts'
import { SECRET_COMMANDS } from './operate/secrets.ts'
import { topCommand } from './operate/top.ts'
import { WORK_COMMANDS } from './operate/work.ts'
import type { CommandSpec } from './terminal/command.ts'
import { listenCommand } from './webhook/listen.ts'
import { triggerCommand } from './webhook/trigger.ts'

/** All commands, in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [
  ...MERCHANT_COMMANDS,
  merchantInvite,
  merchantMember,
  userRecover,
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
