// TLC's translator in one process. A request is a line: the arguments of `pcal.trans`, with tabs between them. The
// answer is a line "STATUS LENGTH", and what was printed.

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;

import util.ToolIO;

public class TranslateService {
    public static void main(String[] none) throws Exception {
        PrintStream answers = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream captured = new PrintStream(printed, true, StandardCharsets.UTF_8);
        System.setOut(captured);
        System.setErr(captured);
        ToolIO.setMode(ToolIO.TOOL); // it does not end the process then
        Method translate = Class.forName("pcal.trans").getMethod("runMe", String[].class);
        translate.setAccessible(true); // its class is not public
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String request; (request = requests.readLine()) != null; ) {
            printed.reset();
            ToolIO.reset();
            int status;
            try {
                status = (int) translate.invoke(null, (Object) request.split("\t"));
                for (String message : ToolIO.getAllMessages()) captured.println(message);
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
    }
}
