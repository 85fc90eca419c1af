import { userInfo } from 'node:os'
import { presentPolicy } from '../../core/merchant/approval.ts'
import { addCommandEntry } from '../../store/events/audit.ts'
import { liftPolicy, readPolicy } from '../../store/merchant/approvals.ts'
import { CommandError, type CommandSpec } from '../terminal/command.ts'
import { requireMerchant, withLedger } from '../terminal/ledger.ts'
import { merchantOption } from '../terminal/options.ts'
import { columns } from '../terminal/output.ts'

/** Removal of approval rules without approvers. */

export const approvalsLift: CommandSpec = {
  words: ['approvals', 'lift'],
  about: "Remove a merchant's approval rules if no approver is left.",
  details: `While a rule is active, changing the rules needs an approval, too. Make sure first that an owner has requested
this: the merchant's audit log records the change as yours. Pending requests stay pending until they are refused or
expire after three days, and can be requested again.`,
  options: { merchant: { value: 'ID', about: 'The merchant', required: true } },
  examples: ['approvals lift --merchant 0198c5b4-7f1e-7000-8000-5d5d1c1f0a11'],
  async run(input) {
    const merchantId = merchantOption(input)
    return await withLedger(input, async (database) => {
      const { name } = await requireMerchant(database, merchantId)
      const lifted = await database.begin(async (sql) => {
        const operator = userInfo().username
        const before = presentPolicy(await readPolicy(sql, merchantId))
        if (!(await liftPolicy(sql, merchantId))) return null
        const after = { recipient: false, refundsAbove: null }
        await addCommandEntry(sql, {
          ...{ operator, merchantId, action: 'changeApprovalPolicy', before, after },
        })
        return before
      })
      if (lifted === null) throw new CommandError([`${name} has no approval rules`])
      const text = columns([
        ['merchant', name],
        ['before', rulesText(lifted)],
        ['now', 'no approvals required'],
      ])
      return { json: { merchantId, lifted }, text }
    })
  },
}

function rulesText({ recipient, refundsAbove }: ReturnType<typeof presentPolicy>): string {
  const rules = [
    ...(recipient ? ['changes of the recipient'] : []),
    ...(refundsAbove === null ? [] : [`refunds above ${refundsAbove}`]),
  ]
  return rules.join(', ')
}
