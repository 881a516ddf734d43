/* The parts of the component kit that we use; everything else of the dashboard takes them from here. */
export {
  ActionIcon,
  Avatar,
  Button,
  Drawer,
  Kbd,
  Loader,
  MantineProvider,
  Menu,
  Modal,
  PasswordInput,
  SegmentedControl,
  TextInput,
  Tooltip,
} from '@mantine/core';
export { useHotkeys, useMediaQuery } from '@mantine/hooks';
