import { ROLES, type Role } from '../../../core/access/roles.ts'
import { usePage } from '../parts/page.ts'
import { roleLabel } from '../parts/roleName.ts'

interface RoleFieldProps {
  readonly initial: Role
  readonly onChoose?: (role: Role) => void
}

export function RoleField({ initial, onChoose }: RoleFieldProps) {
  const { words } = usePage()
  return (
    <label class="field">
      <span>{words.say('role')}</span>
      <select
        class="wide"
        name="role"
        defaultValue={initial}
        onChange={({ currentTarget: { value } }) => {
          const role = ROLES.find((one) => one === value)
          if (role) onChoose?.(role)
        }}
      >
        {ROLES.map((role) => (
          <option key={role} value={role} selected={role === initial}>
            {roleLabel(words, role)}
          </option>
        ))}
      </select>
      <small class="hint">{words.say('membersRoleHint')}</small>
    </label>
  )
}
