import { usePage } from '../parts/page.ts'
import { Gate } from './Gate.tsx'

/** Where the link of a mail ends: the address is confirmed, or the link was too old. */
export function Confirmed() {
  const { words } = usePage()
  const hasFailed = new URLSearchParams(location.search).has('error')
  return (
    <Gate title={words.say(hasFailed ? 'notConfirmedTitle' : 'confirmedTitle')}>
      <p>{words.say(hasFailed ? 'notConfirmedNext' : 'confirmedNext')}</p>
      <a class="button main wide" href="/dashboard/sign-in">
        {words.say('toSignIn')}
      </a>
    </Gate>
  )
}
