import { userInfo } from 'node:os'
import { presentPolicy } from '../../core/merchant/approval.ts'
import { addCommandEntry } from '../../store/events/audit.ts'
import { liftPolicy, readPolicy } from '../../store/merchant/approvals.ts'
import { CommandError, type CommandSpec } from '../terminal/command.ts'
import { requireMerchant, withLedger } from '../terminal/ledger.ts'
import { merchantOption } from '../terminal/options.ts'
import { columns } from '../terminal/output.ts'

/** Rules that nobody is left to lift. */

export const approvalsLift: CommandSpec = {
  words: ['approvals', 'lift'],
  about: "End a merchant's rules on what needs a second person, when no second one is left.",
  details: `While any rule holds, changing the rules needs a second person, too. Make sure beforehand that an owner has asked
for it: the merchant's audit log says that you did. What waits for an approval goes on waiting until it is refused or its
three days are over, and can be asked for anew.`,
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
      if (lifted === null) throw new CommandError([`nothing of ${name} needs a second person`])
      const text = columns([
        ['merchant', name],
        ['until now', rulesText(lifted)],
        ['from now on', 'nothing needs a second person'],
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
