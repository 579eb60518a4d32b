import type { Instance, Options, createPopper as original } from '@popperjs/core/lib/popper.js'

/**
 * Takes the place of `@popperjs/core` in the build. The kit's tooltips import it on every page, but no page needs it
 * before the first tooltip or list opens.
 */
export const createPopper: typeof original = (reference, element, options) => {
  let instance: Instance | undefined
  let isDestroyed = false
  // Without a place the element would flash in a corner.
  element.style.visibility = 'hidden'
  const show = () => {
    element.style.visibility = ''
  }
  const ready = import('@popperjs/core/lib/popper.js').then(({ createPopper }) => {
    if (isDestroyed) return
    instance = createPopper(reference, element, options)
    show()
  }, show)
  const later: Instance = {
    state: { elements: { reference, popper: element } } as Instance['state'],
    destroy: () => {
      isDestroyed = true
      show()
      instance?.destroy()
    },
    forceUpdate: () => instance?.forceUpdate(),
    update: async () => {
      await ready
      return instance?.update() ?? {}
    },
    setOptions: async options => {
      await ready
      return instance?.setOptions(options as Partial<Options>) ?? {}
    },
  }
  return later
}
