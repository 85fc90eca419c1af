import { render } from 'preact'
import { App } from './App.tsx'
import type { Boot } from './session/boot.ts'

/** Begins the dashboard in the page that the server has written. */
const root = document.getElementById('dashboard')
const boot = document.getElementById('boot')?.textContent
if (root && boot) {
  const brought: Boot = JSON.parse(boot)
  root.replaceChildren()
  render(<App boot={brought} />, root)
}
