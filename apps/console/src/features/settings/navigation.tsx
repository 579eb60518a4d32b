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
}

/** The search and the tabs of the settings page. */
export const SettingsNavigation = ({ tab, setTab, search, setSearch }: Props) => {
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
    </Stack>
  )
}

/** An index of the shown sections: at the left on wide screens, above the fields on small ones. */
export const SettingsIndex = ({ sections }: { sections: readonly SectionId[] }) => {
  const t = useT()
  if (sections.length === 0) return null
  return (
    <Stack
      component="nav"
      aria-label={t('settings.index')}
      sx={{
        // On a small screen the index of one section would only repeat its title.
        display: { xs: sections.length > 1 ? 'flex' : 'none', md: 'flex' },
        ...{ flexDirection: { xs: 'row', md: 'column' }, flexWrap: { xs: 'wrap', md: 'nowrap' } },
        ...{ gap: 0.25, mb: { xs: 2, md: 0 }, alignSelf: 'start' },
        ...{ position: { md: 'sticky' }, top: 80, maxHeight: { md: 'calc(100dvh - 96px)' } },
        overflowY: 'auto',
      }}
    >
      {sections.map(id => (
        <Button
          key={id}
          size="small"
          color="inherit"
          onClick={() => goTo(id)}
          sx={{ justifyContent: 'flex-start', textAlign: 'left', fontWeight: 400 }}
        >
          {t(`settings.sections.${id}`)}
        </Button>
      ))}
    </Stack>
  )
}

const goTo = (id: SectionId) => document.getElementById(`settings-${id}`)?.scrollIntoView()
