import type { ComponentChildren } from 'preact'
import { type Role, SECOND_FACTOR_ROLES } from '../../../core/access/roles.ts'
import { Empty } from '../parts/Empty.tsx'
import { usePage } from '../parts/page.ts'
import { roleName } from '../parts/roleName.ts'
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
        if (!person.hasSecondFactor && SECOND_FACTOR_ROLES.includes(here.role)) {
          const role = roleName(words, here.role)
          return (
            <Empty
              title={words.say('factorNeededTitle')}
              next={words.say('factorNeededNext', { role })}
            >
              <a class="button main" href="/dashboard/security">
                {words.say('setUp')}
              </a>
            </Empty>
          )
        }
        return (
          <>
            <Live merchantId={merchantId} />
            {children(here.role)}
          </>
        )
      }}
    </Shell>
  )
}
