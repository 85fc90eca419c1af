import { useState } from 'preact/hooks'
import { type DashboardWords, usePage } from '../parts/page.ts'
import { problemText } from '../parts/States.tsx'
import { inOrder, type Play, play } from './play.ts'
import type { SandboxJson } from './sandboxJson.ts'
import { useScenarioEvents } from './scenarioEvents.ts'
import { Watched } from './Watched.tsx'

type Word = Parameters<DashboardWords['say']>[0]

/** What each scenario does, in the reader's language; the server's own words for one that is new. */
const ABOUT: Readonly<Record<string, Word>> = {
  exact: 'boxExact',
  partial: 'boxPartial',
  over: 'boxOver',
  signature: 'boxSignature',
  x402: 'boxX402',
  late: 'boxLate',
  'wrong-token': 'boxWrongToken',
  'wrong-chain': 'boxWrongChain',
  'two-chains': 'boxTwoChains',
  reorganisation: 'boxReorganisation',
  'failed-settlement': 'boxFailedSettlement',
  'unblock-recipient': 'boxUnblock',
}

interface ScenariosProps {
  readonly merchantId: string
  readonly sandbox: SandboxJson
}

/** Every scenario, played by a button with an invoice of its own, and what happens then beside it. */
export function Scenarios({ merchantId, sandbox }: ScenariosProps) {
  const { words } = usePage()
  const [plays, setPlays] = useState<readonly Play[]>([])
  const [current, setCurrent] = useState<string | null>(null)
  const [problems, setProblems] = useState<readonly string[]>([])

  const { events, deliveries } = useScenarioEvents(merchantId, plays.length > 0)

  async function run(names: readonly string[]): Promise<void> {
    if (current !== null) return
    setProblems([])
    let done = plays
    for (const name of names) {
      setCurrent(name)
      try {
        done = [await play(merchantId, name, sandbox, done), ...done]
        setPlays(done)
      } catch (error) {
        setProblems((before) => [...before, `${name}: ${problemText(words, error)}`])
      }
    }
    setCurrent(null)
  }

  const about = (name: string, own: string) => {
    const word = ABOUT[name]
    return word === undefined ? own : words.say(word)
  }
  return (
    <div class="charts">
      <section class="card" aria-labelledby="scenarios">
        <div class="head">
          <h2 id="scenarios">{words.say('boxScenarios')}</h2>
          <button
            type="button"
            class="main"
            aria-disabled={current !== null || sandbox.chains.length === 0}
            onClick={() => run(inOrder(sandbox.scenarios))}
          >
            {words.say('boxRunAll')}
          </button>
        </div>
        <p class="hint">{words.say('boxScenariosHint')}</p>
        {sandbox.chains.length === 0 && <p class="problem">{words.say('boxNoChain')}</p>}
        <ul class="lines">
          {sandbox.scenarios.map(({ name, about: own }) => (
            <li key={name}>
              <span class="long">{about(name, own)}</span>
              <button
                type="button"
                class="quiet"
                aria-disabled={current !== null || sandbox.chains.length === 0}
                aria-label={words.say('boxRunOne', { name })}
                onClick={() => run([name])}
              >
                {words.say(current === name ? 'boxRunning' : 'boxRun')}
              </button>
            </li>
          ))}
        </ul>
        {problems.length > 0 && (
          <div class="problem" role="alert">
            {problems.map((problem) => (
              <p key={problem}>{problem}</p>
            ))}
          </div>
        )}
      </section>
      <section class="card log" aria-labelledby="log">
        <h2 id="log">{words.say('boxLog')}</h2>
        {plays.length === 0 && <p class="hint">{words.say('boxLogNone')}</p>}
        {plays.map((one) => (
          <Watched
            key={`${one.scenario}${one.invoiceId}`}
            merchantId={merchantId}
            play={one}
            title={about(one.scenario, one.scenario)}
            events={events.filter(({ data }) => data.id === one.invoiceId)}
            deliveries={deliveries}
          />
        ))}
      </section>
    </div>
  )
}
