import type { ComponentChildren } from 'preact'
import { type Role, SECOND_FACTOR_ROLES } from '../../../core/access/roles.ts'
import { Empty } from '../parts/Empty.tsx'
import { usePage } from '../parts/page.ts'
import { roleName } from '../parts/roleName.ts'
import { FactorGate } from './FactorGate.tsx'
import { Live } from './Live.tsx'
import { Shell } from './Shell.tsx'

interface ForMerchantProps {
  readonly merchantId: string
  readonly children: (role: Role) => ComponentChildren
}

/** A page about one merchant, for its members with the second factor that their role requires. */
export function ForMerchant({ merchantId, children }: ForMerchantProps) {
  const { words } = usePage()
  return (
    <Shell merchantId={merchantId}>
      {({ person, merchants }) => {
        const here = merchants.find((one) => one.merchantId === merchantId)
        if (here === undefined) {
          return <Empty title={words.say('notFoundTitle')} next={words.say('notFoundNext')} />
        }
        return (
          <FactorGate
            key={merchantId}
            isNeeded={!person.hasSecondFactor && SECOND_FACTOR_ROLES.includes(here.role)}
            why={words.say('factorNeededNext', { role: roleName(words, here.role) })}
          >
            <Live merchantId={merchantId} />
            {children(here.role)}
          </FactorGate>
        )
      }}
    </Shell>
  )
}
