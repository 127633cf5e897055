import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * TLC as a service: checks one specification after another in one Java process.
 *
 * A request is a line, the arguments of TLC separated by tabs; the answer is a line "status length" and what TLC
 * printed. TLC keeps a specification's names, model values and options in static fields, and the order of its sets
 * follows the numbers that names were given. So every class of it is initialised once, its static fields are noted, and
 * each is as it was then before the next specification is read. TLC is reached by reflection, for this text must
 * compile with any release of it, or none.
 */
public final class TlcService {
    /** Packages that a search does not need, or whose classes do something when they are loaded. */
    private static final List<String> LEFT_OUT =
            List.of("tlc2.tool.distributed", "tlc2.debug", "tlc2.REPL", "tlc2.mbt", "tlc2.diploma", "tla2sany.xml",
                    "tlc2.tool.fp.dfid", "util.MailSender", "util.ExecutionStatistics");

    /** Counters that number what outlives a specification: begun anew they would number two things alike. */
    private static final List<String> GOES_ON = List.of("tla2sany.semantic.FrontEnd.idCnt");

    private record Kept(Field field, Object value) {}

    private final List<Kept> fields = new ArrayList<>();
    private final List<Kept> table = new ArrayList<>();
    private final List<Object> names = new ArrayList<>();
    private Object internTable;
    private Field location;

    private TlcService() throws Exception {
        for (String name : classes()) {
            try {
                Class.forName(name, true, ClassLoader.getSystemClassLoader());
            } catch (Throwable absent) {
                continue; // needs a library that is not there: a search does not need it
            }
        }
        for (String name : classes()) {
            Class<?> type;
            try {
                type = Class.forName(name, false, ClassLoader.getSystemClassLoader());
                keepFields(type);
            } catch (Throwable absent) {
                continue;
            }
        }
        keepNames();
    }

    private static List<String> classes() throws Exception {
        URI place = Class.forName("tlc2.TLC").getProtectionDomain().getCodeSource().getLocation().toURI();
        Path path = Path.of(place);
        List<String> found = new ArrayList<>();
        if (Files.isDirectory(path)) {
            collect(path, found);
        } else {
            try (FileSystem jar = FileSystems.newFileSystem(path)) {
                collect(jar.getPath("/"), found);
            }
        }
        return found;
    }

    private static void collect(Path root, List<String> found) throws Exception {
        try (Stream<Path> files = Files.walk(root)) {
            files.map(file -> root.relativize(file).toString())
                    .filter(file -> file.endsWith(".class"))
                    .map(file -> file.substring(0, file.length() - 6).replace('/', '.').replace('\\', '.'))
                    .filter(name -> name.startsWith("tlc2.") || name.startsWith("tla2sany.") || name.startsWith("util."))
                    .filter(name -> LEFT_OUT.stream().noneMatch(name::startsWith))
                    .sorted()
                    .forEach(found::add);
        }
    }

    private void keepFields(Class<?> type) throws Exception {
        for (Field field : type.getDeclaredFields()) {
            int modifiers = field.getModifiers();
            if (!Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers) || field.isSynthetic()) continue;
            if (GOES_ON.contains(type.getName() + "." + field.getName())) continue;
            field.setAccessible(true);
            fields.add(new Kept(field, field.get(null)));
        }
    }

    private void keepNames() throws Exception {
        Class<?> name = Class.forName("util.UniqueString");
        location = name.getDeclaredField("loc");
        location.setAccessible(true);
        internTable = name.getField("internTbl").get(null);
        for (Field field : internTable.getClass().getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())) continue;
            field.setAccessible(true);
            table.add(new Kept(field, copied(field.get(internTable))));
            if (field.getType().isArray())
                for (Object entry : (Object[]) field.get(internTable)) if (entry != null) names.add(entry);
        }
    }

    private static Object copied(Object value) {
        return value instanceof Object[] array ? array.clone() : value;
    }

    private void restore() throws Exception {
        for (Kept kept : fields) kept.field.set(null, kept.value);
        for (Kept kept : table) kept.field.set(internTable, copied(kept.value));
        for (Object name : names) location.setInt(name, -1);
        Class.forName("tlc2.value.impl.ModelValue").getMethod("init").invoke(null);
    }

    private int check(String[] arguments) throws Exception {
        restore();
        Class<?> type = Class.forName("tlc2.TLC");
        Object tlc = type.getConstructor().newInstance();
        if (!(boolean) type.getMethod("handleParameters", String[].class).invoke(tlc, (Object) arguments)) return 1;
        Path folder = Path.of((String) type.getMethod("getMainFile").invoke(tlc)).toAbsolutePath().getParent();
        Class<?> resolver = Class.forName("util.FilenameToStream");
        Object found =
                Class.forName("util.SimpleFilenameToStream").getConstructor(String.class).newInstance(folder.toString());
        type.getMethod("setResolver", resolver).invoke(tlc, found);
        int code = (int) type.getMethod("process").invoke(tlc);
        Method status = Class.forName("tlc2.output.EC$ExitStatus").getMethod("errorConstantToExitStatus", int.class);
        return (int) status.invoke(null, code);
    }

    public static void main(String[] none) throws Exception {
        PrintStream answers = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream captured = new PrintStream(printed, true, StandardCharsets.UTF_8);
        System.setOut(captured);
        System.setErr(captured);
        TlcService service = new TlcService();
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String request; (request = requests.readLine()) != null; ) {
            printed.reset();
            int status;
            try {
                status = service.check(request.split("\t"));
            } catch (Throwable error) {
                error.printStackTrace(captured);
                status = 255;
            }
            captured.flush();
            byte[] said = printed.toByteArray();
            answers.println(status + " " + said.length);
            answers.write(said, 0, said.length);
            answers.flush();
        }
        System.exit(0); // TLC leaves threads behind
    }
}
