import Button from '@mui/material/Button'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { useT } from '../../ui/index.ts'
import { type SectionId, type TabId, tabIds } from './tabs.ts'

type Props = {
  /** Undefined while a search shows settings of all tabs. */
  tab: TabId | undefined
  setTab: (tab: TabId) => void
  search: string
  setSearch: (text: string) => void
  /** The shown sections. */
  sections: readonly SectionId[]
}

/** The search and the tabs of the settings page, and an index of the shown sections. */
export const SettingsNavigation = ({ tab, setTab, search, setSearch, sections }: Props) => {
  const t = useT()
  return (
    <Stack spacing={1.5} sx={{ mb: 2.25 }}>
      <OutlinedInput
        fullWidth
        type="search"
        value={search}
        placeholder={t('settings.search')}
        inputProps={{ 'aria-label': t('settings.search') }}
        onChange={event => setSearch(event.target.value)}
      />
      <Tabs
        value={tab ?? false}
        variant="fullWidth"
        aria-label={t('settings.title')}
        onChange={(_, next: TabId) => setTab(next)}
        sx={{ borderBottom: '1px solid', borderColor: 'divider' }}
      >
        {tabIds.map(id => (
          <Tab key={id} value={id} label={t(`settings.tabs.${id}`)} />
        ))}
      </Tabs>
      {sections.length > 1 && (
        <Stack
          component="nav"
          direction="row"
          aria-label={t('settings.index')}
          sx={{ flexWrap: 'wrap', gap: 0.5 }}
        >
          {sections.map(id => (
            <Button key={id} size="small" color="inherit" onClick={() => goTo(id)}>
              {t(`settings.sections.${id}`)}
            </Button>
          ))}
        </Stack>
      )}
    </Stack>
  )
}

const goTo = (id: SectionId) => document.getElementById(`settings-${id}`)?.scrollIntoView()
