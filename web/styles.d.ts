/** Style sheets are bundled next to the script that imports them; they export nothing. */
declare module '*.css';
