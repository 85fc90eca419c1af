// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @notice The cheatcodes that these tests use; they are calls to one address.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function addr(uint256 key) external pure returns (address);
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function prank(address caller) external;
    function startPrank(address caller) external;
    function startPrank(address caller, address origin) external;
    function stopPrank() external;
    function deal(address account, uint256 balance) external;
    function etch(address account, bytes calldata code) external;
    function store(address account, bytes32 slot, bytes32 word) external;
    function deployCode(string calldata name, bytes calldata arguments) external returns (address);
    function getCode(string calldata name) external view returns (bytes memory);
    function getDeployedCode(string calldata name) external view returns (bytes memory);
    function warp(uint256 time) external;
    function chainId(uint256 id) external;
    function assume(bool condition) external pure;
    function label(address account, string calldata name) external;
    function load(address account, bytes32 slot) external view returns (bytes32);
    function expectRevert() external;
    function expectRevert(bytes calldata reason) external;
    function expectPartialRevert(bytes4 selector) external;
    function expectEmit() external;
    function expectEmit(address emitter) external;
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory);
    function readFile(string calldata path) external view returns (string memory);
    function parseBytes(string calldata text) external pure returns (bytes memory);
    function parseJsonBytes(string calldata json, string calldata key)
        external
        pure
        returns (bytes memory);
    function snapshotGasLastCall(string calldata name) external returns (uint256);
    function snapshotValue(string calldata name, uint256 value) external;
    function toString(uint256 value) external pure returns (string memory);
    function assertEq(uint256 a, uint256 b, string calldata what) external pure;
    function assertEq(address a, address b, string calldata what) external pure;
    function assertEq(bytes32 a, bytes32 b, string calldata what) external pure;
    function assertEq(bytes calldata a, bytes calldata b, string calldata what) external pure;
    function assertEq(string calldata a, string calldata b, string calldata what) external pure;
    function assertTrue(bool a, string calldata what) external pure;
    function assertFalse(bool a, string calldata what) external pure;
    function assertLe(uint256 a, uint256 b, string calldata what) external pure;
    function assertLt(uint256 a, uint256 b, string calldata what) external pure;
}

/// @notice The base of all tests: cheatcodes, and what Forge reads of an invariant test.
abstract contract Test {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    address[] private _targets;
    FuzzSelector[] private _selectors;

    function targetContracts() public view returns (address[] memory) {
        return _targets;
    }

    function targetSelectors() public view returns (FuzzSelector[] memory) {
        return _selectors;
    }

    function targetOnly(address target, bytes4[] memory selectors) internal {
        _targets.push(target);
        _selectors.push(FuzzSelector(target, selectors));
    }

    /// @dev Folds a fuzzed value into a range, both ends included.
    function within(uint256 value, uint256 low, uint256 high) internal pure returns (uint256) {
        if (value >= low && value <= high) return value;
        uint256 size;
        unchecked {
            size = high - low + 1;
        }
        return size == 0 ? value : low + value % size;
    }
}
