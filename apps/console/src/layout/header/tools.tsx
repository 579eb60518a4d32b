import NoticeIcon from 'virtual:icons/campaign'
import DarkIcon from 'virtual:icons/dark-mode'
import LightIcon from 'virtual:icons/light-mode'
import LanguageIcon from 'virtual:icons/translate'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Tooltip from '@mui/material/Tooltip'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chooseLanguage, languageNames, languages } from '../../locales/language.ts'
import { useT } from '../../ui'
import { useCustomization } from '../customization.tsx'
import { NoticeDialog } from './notice-dialog.tsx'
import { useNotice } from './use-notice.ts'

const Tool = ({ name, onClick, children, ...rest }: ToolProps) => (
  <Tooltip title={name}>
    <IconButton aria-label={name} onClick={onClick} {...rest} sx={{ color: 'text.secondary' }}>
      {children}
    </IconButton>
  </Tooltip>
)
type ToolProps = {
  name: string
  onClick: (event: React.MouseEvent<HTMLElement>) => void
  children: ReactNode
  'aria-haspopup'?: 'menu' | 'dialog'
  'aria-expanded'?: boolean
}

/** Buttons for notice, theme and language, shared by both headers. */
export const Tools = () => {
  const t = useT()
  const { i18n } = useTranslation()
  const notice = useNotice()
  const { theme, setTheme } = useCustomization()
  const isDark = theme === 'dark'
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <Tool name={t('notice.title')} onClick={notice.show} aria-haspopup="dialog">
        <NoticeIcon />
      </Tool>
      <Tool name={t('common.toggleTheme')} onClick={() => setTheme(isDark ? 'light' : 'dark')}>
        {isDark ? <DarkIcon /> : <LightIcon />}
      </Tool>
      <Tool
        name={t('common.language')}
        onClick={event => setAnchor(event.currentTarget)}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
      >
        <LanguageIcon />
      </Tool>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {languages.map(language => (
          <MenuItem
            key={language}
            lang={language.replace('_', '-')}
            selected={language === i18n.language}
            onClick={() => {
              setAnchor(null)
              void chooseLanguage(language)
            }}
          >
            {languageNames[language]}
          </MenuItem>
        ))}
      </Menu>
      <NoticeDialog {...notice} />
    </>
  )
}
