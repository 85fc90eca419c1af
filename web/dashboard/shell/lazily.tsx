import { type ComponentType, createElement } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failed, Skeleton } from '../parts/States.tsx'

/**
 * A page whose code is loaded on navigation. Until then its place is grey. When loading fails, as after a
 * deployment, a button reloads the whole page.
 */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => preact.JSX.Element {
  let loaded: ComponentType<Props> | null = null

  return function Loaded(props) {
    const [state, setState] = useState<'loading' | 'there' | { readonly error: unknown }>('loading')
    useEffect(() => {
      load().then(
        (component) => {
          loaded = component
          setState('there')
        },
        (error: unknown) => setState({ error }),
      )
    }, [])
    if (loaded !== null) return createElement(loaded, props)
    if (typeof state === 'object') {
      return <Failed error={state.error} onRetry={() => location.reload()} />
    }
    return <Skeleton rows={8} />
  }
}
