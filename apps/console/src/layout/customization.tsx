import { useColorScheme, useTheme } from '@mui/material/styles'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { sectionOf } from './menu/menu.ts'

/** Look and menu of the console under One Hub's names. Of these only `theme` outlives a reload, in local storage. */
type Customization = {
  /** Ids of the unfolded menu sections. */
  isOpen: readonly string[]
  defaultId: 'default'
  fontFamily: string
  borderRadius: number
  /** False hides the sidebar of wide screens. */
  opened: boolean
  theme: 'light' | 'dark'
}

type Actions = {
  setSection: (id: string, isOpen: boolean) => void
  setOpened: (opened: boolean) => void
  setTheme: (theme: Customization['theme']) => void
}

const Context = createContext<(Customization & Actions) | undefined>(undefined)

/** Holds the state above all pages, so that the menu stays as it is when the user leaves the console and returns. */
export const CustomizationProvider = ({ children }: { children: ReactNode }) => {
  const { typography, shape } = useTheme()
  const { mode, systemMode, setMode } = useColorScheme()
  const [isOpen, setIsOpen] = useState<readonly string[]>(() => sectionOf(location.pathname))
  const [opened, setOpened] = useState(true)
  const theme = ((mode === 'system' ? systemMode : mode) ?? 'light') as Customization['theme']
  const value = useMemo(
    () => ({
      isOpen,
      defaultId: 'default' as const,
      fontFamily: String(typography.fontFamily),
      borderRadius: Number(shape.borderRadius),
      opened,
      theme,
      setSection: (id: string, isSet: boolean) =>
        setIsOpen(now =>
          now.includes(id) === isSet ? now : isSet ? [...now, id] : now.filter(each => each !== id),
        ),
      setOpened,
      setTheme: setMode,
    }),
    [isOpen, opened, theme, typography, shape, setMode],
  )
  return <Context value={value}>{children}</Context>
}

export const useCustomization = (): Customization & Actions => {
  const value = useContext(Context)
  if (!value) throw new TypeError('useCustomization belongs inside its provider')
  return value
}
